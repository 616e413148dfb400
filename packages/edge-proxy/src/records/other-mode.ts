/** Why what was made in test mode is not used live, nor the other way round: the account of now may know its id as something else. */
export const OTHER_MODE = 'The property had another livemode when this was made';

/** Why a key that was used in the other mode is not answered with what it made then: money of that mode is none of this one. */
export const KEY_OF_OTHER_MODE: string = `${OTHER_MODE}: use a new key if that was no real payment`;
