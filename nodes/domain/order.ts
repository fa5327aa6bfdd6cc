import { ASSUMED } from './assumed';
import { inFront, plainFields, type Simplify } from './simplify';

const orderInFront = inFront('id', 'created_at', 'status', 'status_reason', 'total_amount');

const plainOrder = plainFields(...ASSUMED.lineItemsFields);

/** An order as a list shows it: when it was, where it stands, what it is worth. */
export const simplifyOrder: Simplify = (order) => orderInFront(plainOrder(order));
