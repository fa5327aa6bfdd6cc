// What the action node runs: loaded with its first execution.
export { run } from '../action/run';
export { resources } from '../resources';
