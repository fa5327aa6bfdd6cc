import { enterAs, type Names } from '../../api/names';
import { pathTo } from '../../api/path';
import { isObject, type JsonObject } from '../../json';
import { simplifyContact } from '../../domain/simplify';
import { counting, counts, lists, operation, sends, type Resource } from '../../table/operation';
import { optionsOf, searchFilter, sortByField, sorted } from '../../table/common';
import { form, when, type Parameter, type Refuse } from '../../table/form';
import { deleteRow, getForm } from '../../table/handling';
import { PHONE_RULE, UUID_RULE } from '../../domain/identifiers';
import { choice, narrowing, picker, text } from '../../table/kinds';
import { agreeing, recordForm, withPhones } from '../../table/record';
import { keepOthers, ONLY_READ, putBack, replacingRow } from '../../table/updates';
import { isBlank, nonBlank, phone, uuid } from '../../table/schema';
import { isLocator } from '../../table/place';
import { conditions, filterExpression } from './contactFilter';

const CONTACT = '/contacts/{contact}';

/** The contact that an operation is about. Reference: its UUID, or by-phone/{phone_number}. */
const about = {
	contact: picker<string | string[]>(
		{
			displayName: 'Contact',
			search: 'searchContacts',
			rule: UUID_RULE,
			modes: [
				{
					displayName: 'Phone',
					name: 'phone',
					placeholder: 'e.g. +14155550123',
					rule: PHONE_RULE,
					as: phone.transform((number) => ['by-phone', number]),
				},
			],
		},
		uuid,
	),
};

/** Undefined for a caller without a number, such as `anonymous`, if *If Not Found* returns an item for it. */
const contactOrNobody: Parameter<string | string[] | undefined> = {
	...about.contact,
	read(value, place) {
		const isNobody =
			isLocator(value) &&
			value.mode === 'phone' &&
			!isBlank(value.value) &&
			!/\d/.test(String(value.value));
		return isNobody && place.reading.mayBeMissing ? undefined : about.contact.read(value, place);
	},
};

const phoneRules = {
	check: (record: JsonObject, refuse: Refuse, { contactPhone }: Names) =>
		withPhones(record, (name) => [contactPhone, 'secondary_phone_number'].includes(name), refuse),
};

const existing = { ...phoneRules, exists: true, clearable: 'getContactFields' };

const phoneNumber = text(
	{
		displayName: 'Phone Number',
		required: true,
		placeholder: 'e.g. +14155550123',
		description: 'Phone number of the contact, with its country code',
	},
	phone,
);

const NO_SUCH_NUMBER =
	"No contact in this account has this phone number. To continue without one, set 'If Not Found' in 'Options'.";

const FILTERS = { none: 'None', conditions: 'Build Conditions', expression: 'API Filter' } as const;

const BUILT = { show: { filterType: ['conditions'] } };

const combine = choice(
	{ '&': 'All Conditions', '|': 'Any Condition' },
	{ displayName: 'Must Match', description: 'How many of the conditions a contact must meet' },
);

const apiFilter = text(
	{
		displayName: 'API Filter',
		placeholder: 'e.g. first_name~=ann&loyalty_tier==gold',
		description: "A filter in the API's own language, such as first_name~=ann&loyalty_tier==gold",
	},
	nonBlank(),
);

const IGNORED = "is ignored by the API if there is a 'Filter': remove one of the two";

const filterForm = () =>
	form({
		filterType: choice(FILTERS, { displayName: 'Filter', description: 'Which contacts to return' }),
		...when(BUILT, { combine }),
		...when({ show: { filterType: ['expression'] } }, { filter: narrowing(apiFilter) }),
		...when(BUILT, { conditions }),
		options: optionsOf({ search: searchFilter('contacts') }),
	}).check(({ filter: entered, combine: sign = '&', conditions: all = [], options }, refuse) => {
		const filter = all.length > 0 ? filterExpression(all, sign) : entered;
		if (options.search && filter) refuse(IGNORED, 'options', 'search');
		return { ...options, filter };
	});

const filterRefused = () => ({
	400: "The API refused a filter or a sort. Correct what it names above. To write the filter in the API's own form, set 'Filter' to 'API Filter'.",
});

const CONTACT_REFUSED = `The API refused the data. Correct the value named above and run again. If your API has another name for the phone number, ${enterAs('contactPhone')}.`;

/** Reference: /contacts and /contacts/by-phone; the filter language: version history 1.8.0. */
export const contact: Resource = {
	name: 'Contact',
	description: 'People who call or are called',
	operations: {
		create: operation({
			name: 'Create',
			description: 'Create a new contact',
			...sends('POST /contacts'),
			fields: () => recordForm('mapContact', phoneRules).check(({ record }) => record),
			hints: () => ({ 400: CONTACT_REFUSED }),
		}),
		upsert: operation({
			name: 'Create or Update',
			description: 'Create a new record, or update the current one if it already exists (upsert)',
			hint: 'Use this to sync people by phone number; no look-up is needed before it. Fields that are not named keep their values.',
			request: 'PUT /contacts/by-phone/{phone_number}',
			does: 'change',
			fields: () =>
				form({ phone_number: phoneNumber })
					.and(recordForm('mapContact', { ...existing, mayBeEmpty: true }))
					.and(form({ keepUntouched: keepOthers }))
					.check((given, refuse, { contactPhone }) => {
						const { record, phone_number } = given;
						agreeing(record, contactPhone, phone_number, 'Phone Number', refuse);
						return given;
					}),
			// Creates the contact, or updates it. Without fields, an existing contact stays as it is.
			run: async ({ phone_number, record, keepUntouched: keeps }, api) =>
				await api.alone(phone_number, async () => {
					const path = pathTo('/contacts/by-phone/{phone_number}', { phone_number });
					const present = await api.find({ method: 'GET', path });
					const body = { [api.names.contactPhone]: phone_number, ...record };
					if (present === null) return await api.change('POST', '/contacts', body);
					if (!isObject(present)) throw api.malformed('its data is not a record');
					if (Object.keys(record).length === 0) return present;
					if (keeps) return await putBack(path, present, record, api);
					return await api.change('PUT', path, body);
				}),
			hints: ({ keepUntouched: keeps }): Record<number, string> => ({
				400: keeps ? `${CONTACT_REFUSED} ${ONLY_READ}` : CONTACT_REFUSED,
			}),
		}),
		delete: deleteRow('Delete a contact permanently', CONTACT, about),
		get: operation({
			name: 'Get',
			description: 'Retrieve one contact with its custom fields',
			request: `GET ${CONTACT}`,
			fields: () => getForm({ contact: contactOrNobody }),
			run: async (named, api) => {
				if (named.contact === undefined) throw api.nothing();
				return await api.get(pathTo(CONTACT, named));
			},
			simplify: simplifyContact,
			hints: ({ contact: named }): Record<number, string> =>
				Array.isArray(named) ? { 404: NO_SUCH_NUMBER } : {},
		}),
		getAll: {
			name: 'Get Many',
			description: 'Retrieve a list of contacts',
			hint: 'To filter by fields set filterType to conditions. A value cannot contain & or |. Use either a filter or options.search.',
			...lists('/contacts'),
			simplify: simplifyContact,
			fields: () =>
				filterForm()
					.and(form({ sort: sorted({ sort: sortByField }) }))
					.check(({ sort, ...filter }) => ({ ...filter, ...sort })),
			hints: filterRefused,
		},
		update: replacingRow(
			'Change a contact by its ID or phone number',
			CONTACT,
			about,
			'mapContact',
			existing,
		),
		count: {
			...counting('contacts'),
			...counts('/contacts'),
			fields: filterForm,
			hints: filterRefused,
		},
	},
};
