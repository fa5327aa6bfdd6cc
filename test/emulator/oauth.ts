import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ALL_SCOPES } from './access.ts';
import { contextOf, type Context } from './server.ts';

/** A token endpoint of the emulator's own: the reference shows none (section "Authentication", 8). */
export interface OAuth {
	tokenUrl: string;
	authorizationUrl: string;
	/** How many access tokens the endpoint gave out. */
	readonly issued: number;
	/** From now on the token is an invalid one. */
	expire(token: string): void;
}

const GRANTS = ['client_credentials', 'refresh_token', 'authorization_code'];

/** Adds the token endpoint outside /v1. The tokens that it gives out become callers. */
export function addOAuth(server: FastifyInstance): void {
	server.post('/oauth/token', (request, reply) => {
		const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
		if (!GRANTS.includes(form.get('grant_type') ?? ''))
			return reply.code(400).send({ error: 'unsupported_grant_type' });
		const context = contextOf(request);
		context.issuedTokens += 1;
		const access_token = `oauth_${randomUUID()}`;
		const scopes = form.get('scope')?.split(' ') ?? [...ALL_SCOPES];
		context.callers.set(access_token, { organization: 'own', scopes });
		const refresh_token = `refresh_${randomUUID()}`;
		return reply.send({
			access_token,
			refresh_token,
			token_type: 'Bearer',
			expires_in: 3600,
			scope: scopes.join(' '),
		});
	});

	server.get('/oauth/authorize', (request, reply) => {
		const { redirect_uri, state } = request.query as Record<string, string | undefined>;
		if (!redirect_uri || !URL.canParse(redirect_uri))
			return reply.code(400).send({ error: 'invalid_request' });
		const target = new URL(redirect_uri);
		target.searchParams.set('code', randomUUID());
		if (state !== undefined) target.searchParams.set('state', state);
		return reply.redirect(target.href);
	});
}

/** What a test knows of the token endpoint. */
export const oauthAt = (origin: string, context: Context): OAuth => ({
	tokenUrl: `${origin}/oauth/token`,
	authorizationUrl: `${origin}/oauth/authorize`,
	get issued() {
		return context.issuedTokens;
	},
	expire: (token) => void context.callers.delete(token),
});
