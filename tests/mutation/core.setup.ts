/** Of the fault table, every fault is played for one operation of each class; those that take long for the one that moves money alone. */
import { beforeEach } from 'vitest';

const FAULT_OF_OPERATION = /^'(\w+)', '(.*)': /;
const ONE_OF_EACH_CLASS = /^(login|paystatus|initpayNoIframe)$/;
const SLOW = /time-out|drip|20 MB|refused|reset|cut/;

beforeEach(({ task, skip }) => {
  const [, operation, fault = ''] = FAULT_OF_OPERATION.exec(task.name) ?? [];
  if (operation === undefined || operation === 'pay' || (ONE_OF_EACH_CLASS.test(operation) && !SLOW.test(fault)))
    return;
  skip();
});
