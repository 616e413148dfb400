// Tells what the stay will cost while the guest chooses. Only for reading: the hotel's server computes the amount again.
const form = document.querySelector('#book');
const output = form?.querySelector('.stay-total');

function show() {
  const rate = Number(form.querySelector('[name="room"]:checked')?.dataset.rate);
  const nights = form.querySelector('[name="nights"]');
  if (!(rate > 0)) return;
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: output.dataset.currency });
  const text = nights.selectedOptions[0]?.textContent;
  output.textContent = `${text}: ${money.format((rate * Number(nights.value)) / 100)}`;
}

if (output) {
  form.addEventListener('change', show);
  show();
}
