// Gives the desk its secret, which the hotel's server makes for whoever is signed in, and shows it when a booking is chosen above it.
const desk = document.querySelector('payments-desk');
desk.getClientSecret = async () => {
  const answer = await fetch('/desk/secret', { method: 'POST' });
  // Signed out, perhaps in another tab: the page is now the one to sign in.
  if (answer.status === 401) location.reload();
  if (!answer.ok) throw new Error(`The hotel answered ${answer.status}`);
  return answer.text();
};
addEventListener('hashchange', () => desk.scrollIntoView());
