import { mount } from 'svelte';
import './app.css';
import './frame.css';
import './play.css';
import App from './App.svelte';

mount(App, { target: document.getElementById('page')! });
