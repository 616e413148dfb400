import { redirect } from 'next/navigation';

export default function Home() {
  redirect('/bookings/RES-1234');
}
