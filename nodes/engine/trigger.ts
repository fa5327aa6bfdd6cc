// What the trigger runs: loaded with its first poll.
export { poll } from '../trigger/poll';
