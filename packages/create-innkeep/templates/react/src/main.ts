import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BookingPage } from './booking-page';

const root = document.getElementById('app');
if (root) createRoot(root).render(createElement(StrictMode, null, createElement(BookingPage)));
