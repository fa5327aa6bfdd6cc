import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

import { addFiles } from './files.ts';
import { addOAuth } from './oauth.ts';
import type { Behaviour, Route } from './route.ts';
import { createApp, setContext, type Context } from './server.ts';

/** Fastify apps by behaviour. Almost every test starts an emulator, and setting up an app takes longer than the test. */
const apps = new Map<string, FastifyInstance>();

async function appFor(behaviour: Behaviour, routes: readonly Route[]): Promise<FastifyInstance> {
	const key = JSON.stringify(behaviour);
	const app = apps.get(key) ?? newApp(behaviour, routes);
	apps.set(key, app);
	await app.ready();
	return app;
}

function newApp({ readings }: Behaviour, routes: readonly Route[]): FastifyInstance {
	const app = createApp(routes, readings);
	addOAuth(app);
	addFiles(app);
	return app;
}

/** A server of its own for one emulator, in front of the app that it shares with others. */
export async function listen(
	context: Context,
	routes: readonly Route[],
	{ port, host }: { port: number; host: string },
): Promise<{ origin: string; close(): Promise<void> }> {
	const app = await appFor(context.behaviour, routes);
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

/** Ends every connection, whatever it waits for. */
async function closed(server: Server): Promise<void> {
	await new Promise<void>((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
