import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Emulator, Readings } from '../emulator/index.ts';
import { campaignState } from '../emulator/shapes.ts';
import { nameOf, shown, understood, type Kind } from '../emulator/wire.ts';

/** The kind of an operation's items, if it is not that of its resource. */
const KINDS: Readonly<Record<string, Kind>> = {
	'agent.getModels': 'other',
	'agent.getVoices': 'other',
	'apiRequest.send': 'contact',
	'call.getSummary': 'summary',
	'call.getTranscript': 'transcript',
	'campaign.getStats': 'campaignStats',
	'contactList.addContacts': 'membership',
	'contactList.getContacts': 'member',
	'contactList.removeContacts': 'membership',
	'item.assign': 'other',
	'item.unassign': 'other',
	'playground.makeTestCall': 'testCall',
	'wallet.getTransactions': 'transaction',
};

const RESOURCES: Readonly<Record<string, Kind>> = {
	agent: 'agent',
	call: 'call',
	campaign: 'campaign',
	catalogue: 'catalogue',
	contact: 'contact',
	contactList: 'contactList',
	event: 'event',
	item: 'item',
	order: 'order',
	portalAccess: 'portalAccess',
	usage: 'usage',
	wallet: 'wallet',
};

export const kindOf = (operation: string): Kind =>
	KINDS[operation] ?? RESOURCES[operation.split('.')[0]!] ?? 'other';

/** The output of an operation, in the words of the emulator's store. */
export const inStoreWords = (operation: string, output: IDataObject[], { readings }: Emulator) =>
	output.map((item) => understood(kindOf(operation), item, readings) as IDataObject);

/** A record in the server's words for fields and values. */
function renamed(kind: Kind, record: object, readings: Readings): IDataObject {
	return shown(kind, record, {
		...readings,
		money: 'number',
		ids: 'uuid',
		ownFields: 'none',
	}) as IDataObject;
}

/** An operation's parameters in the server's words for fields and states. */
export function asWritten(
	operation: string,
	parameters: INodeParameters,
	{ readings }: Emulator,
): INodeParameters {
	const kind = kindOf(operation);
	const { record, json, filters, conditions, ...rest } = parameters as IDataObject;
	const written: IDataObject = { ...rest };
	// The node only removes the spaces of a phone number if it knows the field's name.
	const inForm = (value: object) => {
		const { phone_number: phone, ...fields } = value as IDataObject;
		const isKnown = readings.primaryPhone === 'phone_number' || phone === undefined;
		return isKnown ? value : { ...fields, phone_number: String(phone).replaceAll(' ', '') };
	};
	if (json !== undefined)
		written.json = JSON.stringify(renamed(kind, JSON.parse(String(json)) as object, readings));
	if (record !== undefined)
		written.record = {
			...(record as IDataObject),
			value: renamed(kind, inForm((record as { value: object }).value), readings),
		};
	if (filters !== undefined) {
		const { status } = filters as IDataObject;
		const state = campaignState.shown(String(status), readings);
		written.filters =
			kind === 'campaign' ? { ...(filters as IDataObject), status: state } : filters;
	}
	const { updateFields } = parameters as { updateFields?: IDataObject };
	if (readings.betaBackend === 'own' && updateFields?.beta_backend === 'backend_studio')
		written.updateFields = { ...updateFields, beta_backend: 'studio-2' };
	if (conditions !== undefined) {
		const { condition } = conditions as { condition: IDataObject[] };
		written.conditions = {
			condition: condition.map((one) => ({
				...one,
				field: nameOf('contact', String(one.field), readings),
			})),
		};
	}
	return written as INodeParameters;
}

/** What the credential of this server must name, because no request can find it out. */
export function namesFor({ assumed, readings }: Emulator): Record<string, string> {
	const { event, eventMoves, health, portalTypes } = assumed;
	return {
		...(readings.betaBackend === 'own' && { agentBackend: 'lumen_backend' }),
		callLength: nameOf('call', 'duration_seconds', readings),
		callNumber: nameOf('call', 'phone_number', readings),
		contactPhone: readings.primaryPhone,
		eventApprove: `${readings.eventMethod} ${eventMoves.approve}`,
		eventConfirm: `${readings.eventMethod} ${eventMoves.confirm}`,
		eventPath: event,
		eventReject: `${readings.eventMethod} ${eventMoves.reject}`,
		healthPath: health,
		itemSku: nameOf('item', 'sku', readings),
		portalBeauty: portalTypes.beauty,
		portalFood: portalTypes.food,
		portalRealEstate: portalTypes.realEstate,
	};
}

/** What the error of an operation says if the credential does not name what it needs on this server. */
export function errorWithoutNames(operation: string, emulator: Emulator): string | undefined {
	const { assumed, readings } = emulator;
	const [resource = '', verb = ''] = operation.split('.');
	if (resource === 'event' && verb in assumed.eventMoves) {
		const isUsual = readings.eventPaths === 'event first' && readings.eventMethod === 'POST';
		const label = `${verb[0]!.toUpperCase()}${verb.slice(1)}`;
		return isUsual ? undefined : `'Calendar Event: ${label}'`;
	}
	if (resource === 'event' && verb !== 'getAll')
		return readings.eventPaths === 'nested' ? "'Calendar Event: Path'" : undefined;
	if (operation === 'agent.update')
		return readings.betaBackend === 'own' ? "'Agent: Beta Backend'" : undefined;
	if (resource === 'health') return assumed.health === '/health' ? undefined : "'Health: Path'";
	if (resource === 'portalAccess')
		return readings.portalPaths === 'upper case' ? "'Portal: Food'" : undefined;
	if (operation === 'contact.upsert')
		return readings.primaryPhone === 'phone' ? "'Contact: Phone Number'" : undefined;
	if (operation === 'item.upsert') return readings.names === 'others' ? "'Item: SKU'" : undefined;
	return undefined;
}
