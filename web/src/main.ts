import { mount } from 'svelte';
import './app.css';
import './frame.css';
import './play.css';
import { useGuests } from './api/api';
import App from './App.svelte';
import { openGuests } from './guest/guests';
import { servedWorkshop } from './guest/served';

useGuests(openGuests(servedWorkshop));

mount(App, { target: document.getElementById('page')! });
