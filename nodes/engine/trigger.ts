// The code of the trigger, loaded with its first poll.
export { poll } from '../trigger/poll';
