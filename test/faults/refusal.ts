import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { errorMonitor, type EventEmitter } from 'node:events';

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
