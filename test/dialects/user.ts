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

interface Setting {
	/** What the error of the operation without it names. */
	named: RegExp;
	parameters: INodeParameters;
	/** The parameters are in the server's words already. */
	isWritten?: true;
}

/** The settings that the user of this server must change, because no request can find them out. */
export function settingFor(operation: string, emulator: Emulator): Setting | undefined {
	const { assumed, readings } = emulator;
	const [resource = '', verb = ''] = operation.split('.');
	if (resource === 'event' && verb !== 'getAll') {
		const moves: Record<string, string> = assumed.eventMoves;
		const path = moves[verb] ?? assumed.event;
		const method = verb in moves ? readings.eventMethod : 'POST';
		const usual = verb in moves ? `/events/{event_id}/${verb}` : '/events/{event_id}';
		if (path === usual && method === 'POST') return undefined;
		const options = { path, ...(verb in moves && { method }) };
		return { named: path === usual ? /Method/ : /Path/, parameters: { options } };
	}
	if (operation === 'agent.update' && readings.betaBackend === 'own') {
		const set = { prompt_instructions: 'Be brief.', beta_backend: 'studio-2' };
		const options = { backendField: 'lumen_backend' };
		return { named: /Beta Backend Field/, parameters: { options, updateFields: set } };
	}
	if (resource === 'health' && assumed.health !== '/health')
		return { named: /Path/, parameters: { options: { path: assumed.health } } };
	if (resource === 'portalAccess' && assumed.portalTypes.realEstate !== 'real_estate') {
		const options = { portal_type: assumed.portalTypes.realEstate };
		return { named: /Portal Type|path value/i, parameters: { options } };
	}
	if (readings.primaryPhone === 'phone' && operation === 'contact.upsert') {
		const phone = '+393470002222';
		const json = JSON.stringify(
			renamed('contact', { first_name: 'Grace', phone_number: phone }, readings),
		);
		return { named: /Using JSON/, parameters: { json }, isWritten: true };
	}
	if (operation === 'item.upsert' && readings.names === 'others') {
		const skuField = nameOf('item', 'sku', readings);
		return { named: /SKU Field/, parameters: { options: { skuField } } };
	}
	return undefined;
}
