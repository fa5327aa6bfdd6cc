import { without } from '../json';
import { callFilters } from '../filters/callFilters';
import { optionsOf } from '../table/common';
import { always, form, when, type InputOf } from '../table/form';
import { timeout } from '../table/handling';
import { choice, color, mayBeBlank, several, text, toggle } from '../table/kinds';
import { fieldName, httpsAddress, optional, textUpTo, trimmed } from '../table/schema';
import { firstDayOption, periodForm } from '../filters/within';
import { LANGUAGES, SECTIONS } from './labels';

export const reportForm = () =>
	periodForm()
		.check((within) => ({ within }))
		.and(
			form({
				compare: toggle({
					displayName: 'Compare With Previous Period',
					default: true,
					description: 'Whether to show the previous period too',
				}),
				sections: several(
					SECTIONS,
					{
						displayName: 'Sections',
						default: ['keyFigures', 'callsByDay', 'callsByStatus'],
						description: 'The parts of the report',
					},
					'must name at least one section',
				),
				title: text(
					{
						displayName: 'Title',
						placeholder: 'e.g. Bright Dental',
						description: 'The heading, such as the name of the client',
					},
					optional(trimmed(textUpTo(200))),
				),
				...when(
					{ show: { '@tool': [true] } },
					{
						textOnly: toggle({
							displayName: 'Text Only',
							default: true,
							description: 'Whether to return only the subject and the text of the report',
						}),
					},
				),
				options: optionsOf({
					accent: always(
						color({
							displayName: 'Accent Color',
							default: '#2f6fed',
							description: 'Color of the bars',
						}),
					),
					...without(callFilters, 'phone_number'),
					firstDay: firstDayOption,
					footer: text(
						{
							displayName: 'Footer',
							typeOptions: { rows: 2 },
							description: 'Text below the last section',
						},
						optional(textUpTo(2000)),
					),
					intro: text(
						{
							displayName: 'Intro',
							typeOptions: { rows: 3 },
							description: 'Text above all figures',
						},
						optional(textUpTo(2000)),
					),
					language: mayBeBlank(
						choice(LANGUAGES, {
							displayName: 'Language',
							default: 'en',
							description:
								'Language of the labels, dates and numbers. An expression gives de or German, or nothing for English.',
						}),
					),
					logo: text(
						{
							displayName: 'Logo URL',
							placeholder: 'e.g. https://www.example.com/logo.png',
							description: 'Address of a picture above the title. It begins with https://.',
						},
						optional(httpsAddress),
					),
					binaryPropertyName: text(
						{
							displayName: 'Output Data Field Name',
							default: 'data',
							description: 'Name of the output field that also gets the page, as an HTML file',
						},
						fieldName,
					),
					timeout,
				}),
			}),
		);

export type ReportInput = InputOf<ReturnType<typeof reportForm>>;
