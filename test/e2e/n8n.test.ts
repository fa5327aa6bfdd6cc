// Everything that one n8n, which is never restarted, can show.
import { afterAll, beforeAll, describe } from 'vitest';

import { NEWEST } from './host.ts';
import { accounts } from './parts/accounts.ts';
import { agent } from './parts/agent.ts';
import { core } from './parts/core.ts';
import { credential } from './parts/credential.ts';
import { editor } from './parts/editor.ts';
import { examples } from './parts/examples.ts';
import { close, HOST, open } from './shared.ts';

beforeAll(open);
afterAll(close);

if (HOST === NEWEST) describe('the editor', editor);
describe('a credential', credential);
describe('a credential with several accounts', accounts);
describe('core', core);
if (HOST === NEWEST) describe('the AI Agent node, with this node as its tool', agent);
describe('the example', examples);
