/** Core's calls to the payment service, with what they are sent by: a module of its own, which the first call loads. */
export { createContext } from '@innkeep/core/context';
export { initCreateTokenNoIframe } from '@innkeep/core/operations/init-create-token-no-iframe';
export { initpayNoIframe } from '@innkeep/core/operations/initpay-no-iframe';
export { login } from '@innkeep/core/operations/login';
export { pay } from '@innkeep/core/operations/pay';
export { paystatus } from '@innkeep/core/operations/paystatus';
export { reversal } from '@innkeep/core/operations/reversal';
export { transaction } from '@innkeep/core/operations/transaction';
