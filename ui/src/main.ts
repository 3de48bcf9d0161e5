import { mount } from 'svelte'
import App from './App.svelte'
import './styles/tokens.css'
import './styles/components.css'
import './styles/screens.css'
import './styles/window.css'

const target = document.getElementById('app')
if (target) mount(App, { target })
