// The code of the action node, loaded with its first execution.
export { run } from '../action/run';
export { resources } from '../resources';
