import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { byText } from '../json';
import { form } from '../table/form';
import { choice } from '../table/kinds';
import { sharedFields } from '../table/properties';
import type { CommonInput, TriggerEvent } from './event';
import { EVENTS } from './events';

export type EventName = keyof typeof EVENTS;

const eachOf = <From, To>(of: Record<EventName, From>, make: (from: From) => To) =>
	Object.fromEntries(
		Object.entries(of).map(([name, from]) => [name, make(from as From)]),
	) as Record<EventName, To>;

const eachEvent = <T>(of: (event: TriggerEvent<CommonInput>) => T) => eachOf(EVENTS, of);

export const selector = form({
	event: choice(
		eachEvent(({ name }) => name),
		{
			displayName: 'Trigger On',
			noDataExpression: true,
			meanings: eachEvent(({ description }) => description),
			default: 'newCall',
		},
	),
});

/** The table of events as n8n's properties. All events share one collection of options. */
export function toProperties(): INodeProperties[] {
	const fields = eachEvent((event) => event.fields().properties);
	const only = (isWanted: (name: string) => boolean) =>
		eachOf(fields, (own) => own.filter(({ name }) => isWanted(name)));
	const options = only((name) => name === 'options');
	const members = eachOf(options, ([own]) => own?.options as INodeProperties[]);
	return [
		...selector.properties.map(withHints),
		...shownFor(
			'event',
			only((name) => name !== 'options'),
		).sort((a, b) => Number(a.name === 'filters') - Number(b.name === 'filters')),
		{
			...(options.newCall[0] as INodeProperties),
			options: shownFor('/event', members).sort(byText(({ displayName }) => displayName)),
		},
	];
}

/** The choices, with what an AI that builds workflows should know of each. */
const withHints = (property: INodeProperties): INodeProperties => ({
	...property,
	options: (property.options as INodePropertyOptions[]).map((option) => ({
		...option,
		builderHint: { propertyHint: EVENTS[option.value as EventName].hint },
	})),
});

/** Each field is shown for the events that have it. */
function shownFor(
	parameter: string,
	fields: Record<EventName, INodeProperties[]>,
): INodeProperties[] {
	return sharedFields(fields).map(({ field, rows }) => {
		if (rows.length === Object.keys(EVENTS).length) return field;
		const show = { [parameter]: rows, ...field.displayOptions?.show };
		return { ...field, displayOptions: { ...field.displayOptions, show } };
	});
}
