import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the emulator that can be shut: its records live on while nobody can reach it. */
export class Gateway {
	readonly port: number;

	private readonly target: number;

	private server: Server | undefined;

	private readonly sockets = new Set<Socket>();

	constructor(port: number, target: number) {
		this.port = port;
		this.target = target;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}/v1`;
	}

	async open(): Promise<void> {
		this.server = createServer((client) => {
			const upstream = connect(this.target, '127.0.0.1');
			for (const socket of [client, upstream]) {
				this.sockets.add(socket);
				socket.on('error', () => socket.destroy()).on('close', () => this.sockets.delete(socket));
			}
			client.pipe(upstream).pipe(client);
		});
		await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
	}

	async shut(): Promise<void> {
		const { server } = this;
		if (server === undefined) return;
		const closed = new Promise((resolve) => server.close(resolve));
		for (const socket of this.sockets) socket.destroy();
		await closed;
	}
}
