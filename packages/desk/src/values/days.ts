/** Days of the hotel, `YYYY-MM-DD`. */

/** The day so many days later. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Whether the text is a day of this millennium, as the proxy takes it. */
export function isDay(text: string | null | undefined): text is string {
  return /^2\d{3}-\d\d-\d\d$/.test(text ?? '') && Date.parse(`${text}T00:00:00Z`) > 0;
}
