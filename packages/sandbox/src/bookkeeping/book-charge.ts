import type { Charge } from '../domain/ledger.ts';
import type { World } from '../world/world.ts';

/** Takes the money: from here on the charge has happened, whatever becomes of the answer. */
export function bookCharge(world: World, charge: Omit<Charge, 'transactionID' | 'at' | 'reversedMinor'>): Charge {
  const booked: Charge = {
    ...charge,
    transactionID: world.ids.next('transaction'),
    at: world.clock.now(),
    reversedMinor: 0n,
  };
  world.ledger.charges.set(booked.transactionID, booked);
  return booked;
}

/** What a charge took in all, in minor units. */
export function totalMinorOf(charge: Charge): bigint {
  return charge.baseMinor + charge.surchargeMinor;
}
