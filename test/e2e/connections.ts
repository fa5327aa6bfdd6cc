import { Agent, setGlobalDispatcher } from 'undici';

// One connection for each request of the tests: n8n, busy with a large execution, closes an idle one
// just as the next request goes out on it, and that request is lost. On a busy machine n8n answers late.
setGlobalDispatcher(new Agent({ pipelining: 0, headersTimeout: 0 }));
