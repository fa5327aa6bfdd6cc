import type { Resources } from '../core/operation';
import { agent } from './agent';
import { call } from './call';
import { order } from './order';

/** The whole table: what the node offers, and what it runs. */
export const resources: Resources = { agent, call, order };
