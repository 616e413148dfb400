/** Of the fault table, every fault is played for one operation that moves money and one that reads; those that wait for a time limit for the first alone. */
import { beforeEach } from 'vitest';

const FAULT_OF_OPERATION = /^'(\w+)', '(.*)': /;
const SLOW = /time-out|drip|20 MB|refused|reset|cut/;

beforeEach(({ task, skip }) => {
  const [, operation, fault = ''] = FAULT_OF_OPERATION.exec(task.name) ?? [];
  if (operation === undefined || operation === 'pay' || (operation === 'paystatus' && !SLOW.test(fault))) return;
  skip();
});
