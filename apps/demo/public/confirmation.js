// Brings the hotel's own words up to date once the widget has seen the payment move on.
const main = document.querySelector('main');
document.addEventListener('pay-statechange', (event) => {
  const shown = main?.dataset.payment;
  const { from, to } = event.detail;
  const isNews = ['succeeded', 'failed', 'canceled', 'expired', 'unknown'].includes(to) && to !== shown;
  // The hotel has given up waiting for this attempt.
  const isOver = from === 'waiting' && to === 'idle';
  if ((isNews || isOver) && main?.dataset.final === 'false') location.reload();
});

document.querySelector('[data-print]')?.addEventListener('click', () => print());
