/** Stands for the check of every answer against the description of the API. */
export async function validateExchange(): Promise<void> {}
