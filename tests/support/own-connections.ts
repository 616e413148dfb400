// A connection for each request: workerd closes one that has been idle for five seconds and does not say so, and on a busy machine the
// next request is under way on it just then.
import { Agent, setGlobalDispatcher } from 'undici';

setGlobalDispatcher(new Agent({ pipelining: 0 }));
