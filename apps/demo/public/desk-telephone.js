// Empties the card fields when the page is left: Back may bring it as it was, in spite of `no-store`. A form that is being sent has
// its values by then.
const fields = document.querySelectorAll('[data-card] input');
addEventListener('pagehide', () => {
  for (const field of fields) field.value = '';
});
