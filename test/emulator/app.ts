import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

import { addFiles } from './files.ts';
import type { Readings } from './readings.ts';
import type { Route } from './route.ts';
import { asked, createApp, setContext, type Context } from './server.ts';

/** Almost every test starts an emulator, and making an app takes longer than the test. So emulators with the same readings share one. */
const apps = new Map<string, FastifyInstance>();

async function appFor(readings: Readings, routes: readonly Route[]): Promise<FastifyInstance> {
	const key = JSON.stringify(readings);
	const app = apps.get(key) ?? addFiles(createApp(routes, readings));
	apps.set(key, app);
	await app.ready();
	return app;
}

/** Starts the server of one emulator. Its requests go to the app that emulators share. */
export async function listen(
	context: Context,
	routes: readonly Route[],
	{ port, host }: { port: number; host: string },
): Promise<{ origin: string; close(): Promise<void> }> {
	const app = await appFor(context.readings, routes);
	const server = createServer((request, response) => {
		setContext(request, context);
		app.routing(request, response);
	});
	server.keepAliveTimeout = 72_000;
	server.requestTimeout = 0;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, host, resolve);
	});
	const { port: chosen } = server.address() as AddressInfo;
	return { origin: `http://${host}:${chosen}`, close: async () => await closed(server) };
}

/** Answers a GET without a server, which takes a fraction of the time. */
export async function answer(
	context: Context,
	routes: readonly Route[],
	url: string,
	headers: Record<string, string>,
) {
	const app = await appFor(context.readings, routes);
	return await asked.run(context, async () => await app.inject({ method: 'GET', url, headers }));
}

/** Ends every connection, also those with a request that has no answer yet. */
async function closed(server: Server): Promise<void> {
	await new Promise<void>((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
