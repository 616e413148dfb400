/** Why what was made in test mode is not used live, nor the other way round: the account of now may know its id as something else. */
export const OTHER_MODE = 'The property had another livemode when this was made';
