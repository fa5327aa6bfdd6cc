import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NAMES, USUAL_NAMES, type NameKey } from '../../nodes/api/names.ts';
import type { Emulator } from '../emulator/index.ts';
import { pathsOf } from '../emulator/readings.ts';
import { campaignState, nameOf, shown, understood, type Kind } from '../emulator/wire.ts';

/** The kind of an operation's items, if it is not that of its resource. */
const KINDS: Readonly<Record<string, Kind>> = {
	'apiRequest.send': 'contact',
	'call.getTranscript': 'transcript',
	'campaign.getStats': 'other',
	'contactList.addContacts': 'membership',
	'contactList.getContacts': 'member',
	'contactList.removeContacts': 'membership',
	'playground.makeTestCall': 'testCall',
	'wallet.getTransactions': 'transaction',
};

const kindOf = (operation: string): Kind => KINDS[operation] ?? (operation.split('.')[0]! as Kind);

/** An item with its columns as objects again: `contact.id` as the `id` in `contact`. */
function nested(item: IDataObject): IDataObject {
	const fields: IDataObject = {};
	for (const [name, value] of Object.entries(item)) {
		const [outer, ...inner] = name.split('.');
		if (inner.length === 0) fields[name] = value;
		else fields[outer!] = { ...(fields[outer!] as IDataObject), [inner.join('.')]: value };
	}
	return fields;
}

/** Items of a kind, in the words of the emulator's store. */
export const ofKind = (kind: Kind, items: IDataObject[], { readings }: Emulator) =>
	items.map((item) => understood(kind, nested(item), readings) as IDataObject);

/** The output of an operation, in the words of the emulator's store. */
export const inStoreWords = (operation: string, output: IDataObject[], emulator: Emulator) =>
	ofKind(kindOf(operation), output, emulator);

/** An operation's parameters in the server's words for fields and states. */
export function asWritten(operation: string, given: INodeParameters, { readings }: Emulator) {
	const kind = kindOf(operation);
	const { record, json, filters, conditions, ...rest } = given as IDataObject;
	const renamed = (fields: unknown) =>
		shown(kind, fields, { ...readings, money: 'number', ids: 'uuid', readOnly: 'refused' });
	const written: IDataObject = { ...rest };
	if (json !== undefined) written.json = JSON.stringify(renamed(JSON.parse(String(json))));
	if (record) {
		const { value } = record as { value: object };
		written.record = { ...(record as object), value: renamed(value) } as IDataObject;
	}
	if (filters) {
		const { status } = filters as IDataObject;
		const state = kind === 'campaign' && campaignState(String(status), readings);
		written.filters = { ...(filters as IDataObject), ...(state && { status: state }) };
	}
	if (conditions) {
		const { condition } = conditions as { condition: IDataObject[] };
		const inWords = ({ field, ...one }: IDataObject) => ({
			...one,
			field: nameOf('contact', String(field), readings),
		});
		written.conditions = { condition: condition.map(inWords) };
	}
	return written as INodeParameters;
}

/** What the credential of this server must name, because no request can find it out. */
export function namesFor({ readings }: Emulator): Partial<Record<NameKey, string>> {
	const { health, event, approve, confirm, reject, ...portals } = pathsOf(readings);
	const names: Partial<Record<NameKey, string>> = {
		agentBackend: nameOf('agent', 'beta_backend', readings),
		callLength: nameOf('call', 'duration_seconds', readings),
		callNumber: nameOf('call', 'phone_number', readings),
		contactPhone: nameOf('contact', 'phone_number', readings),
		eventPath: event,
		eventApprove: approve,
		eventConfirm: confirm,
		eventReject: reject,
		healthPath: health,
		itemSku: nameOf('item', 'sku', readings),
		portals: [portals.beauty, portals.food, portals.realEstate].join(', '),
	};
	const isUsual = (key: string, name: string) =>
		[USUAL_NAMES[key as NameKey]].flat().includes(name) ||
		[USUAL_NAMES[key as NameKey]].flat().join(', ') === name;
	return Object.fromEntries(Object.entries(names).filter(([key, name]) => !isUsual(key, name)));
}

/** The name that an operation cannot do without. */
const NEEDED: Readonly<Record<string, NameKey>> = {
	'agent.update': 'agentBackend',
	'contact.upsert': 'contactPhone',
	'event.approve': 'eventApprove',
	'event.confirm': 'eventConfirm',
	'event.delete': 'eventPath',
	'event.get': 'eventPath',
	'event.reject': 'eventReject',
	'event.update': 'eventPath',
	'health.check': 'healthPath',
	'item.upsert': 'itemSku',
	'portalAccess.get': 'portals',
};

/** What the error of an operation says if the credential does not name what it needs on this server. */
export function errorWithoutNames(operation: string, emulator: Emulator): string | undefined {
	const key = NEEDED[operation];
	return key && key in namesFor(emulator) ? `'${NAMES[key].label}'` : undefined;
}
