import { connect, createServer, type Socket } from 'node:net';

/** A way to the emulator that can be shut: its records live on while nobody can reach it. */
export class Gateway {
	readonly port: number;

	/** Connections that were tried while it was shut. */
	turnedAway = 0;

	private readonly target: number;

	private isOpen = false;

	private readonly server = createServer((client) => this.accept(client));

	private readonly sockets = new Set<Socket>();

	constructor(port: number, target: number) {
		this.port = port;
		this.target = target;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}/v1`;
	}

	async open(): Promise<void> {
		this.isOpen = true;
		if (this.server.listening) return;
		await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
	}

	private accept(client: Socket): void {
		if (!this.isOpen) {
			this.turnedAway++;
			client.on('error', () => {}).resetAndDestroy();
			return;
		}
		const upstream = connect(this.target, '127.0.0.1');
		for (const socket of [client, upstream]) {
			this.sockets.add(socket);
			socket.on('error', () => socket.destroy()).on('close', () => this.sockets.delete(socket));
		}
		client.pipe(upstream).pipe(client);
	}

	/** From now on each connection is cut off, and counted. */
	shut(): void {
		this.isOpen = false;
		for (const socket of this.sockets) socket.destroy();
	}

	async close(): Promise<void> {
		this.shut();
		if (!this.server.listening) return;
		await new Promise((resolve) => this.server.close(resolve));
	}
}
