import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { errorMonitor, once, type EventEmitter } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give out by themselves: so no other test gets it once it is closed. */
let nextPort = 12_000 + (process.pid % 200) * 100;

/** A free port on which a test may close a server and start another one. */
export async function ownPort(): Promise<number> {
	for (;;) {
		const port = nextPort++;
		const server = createServer().listen(port, '127.0.0.1');
		const isFree = await once(server, 'listening').then(
			() => true,
			() => false,
		);
		server.close();
		if (isFree) return port;
	}
}

/** Resolves when a connection of this process to the port was refused because nobody listens there. */
export async function refusalAt(port: number): Promise<void> {
	await new Promise<void>((resolve) => {
		const watch = (message: unknown) => {
			const { socket } = message as { socket: EventEmitter };
			socket.once(errorMonitor, (error: NodeJS.ErrnoException & { port?: number }) => {
				if (error.code !== 'ECONNREFUSED' || error.port !== port) return;
				unsubscribe('net.client.socket', watch);
				resolve();
			});
		};
		subscribe('net.client.socket', watch);
	});
}
