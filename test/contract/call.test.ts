import { expect, it } from 'vitest';

import { accountForEachTest, changeAccount, emulator, succeed } from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

it.each(['null', 'empty'] as const)(
	'the transcript of a call in which nothing was said is a record too: %s',
	async (noTranscript) => {
		await changeAccount({ data: 'small', readings: { noTranscript } });
		const { id } = emulator.store.addCall({ transcript: null } as never);
		const { json: output } = await succeed('call.getTranscript', { call_id: locator(id) });
		expect(output).toMatchObject([{ call_id: id }]);
	},
);
