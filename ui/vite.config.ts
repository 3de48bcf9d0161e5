import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { withFrame } from './frame'

export default defineConfig({
  plugins: [svelte(), { name: 'frame', transformIndexHtml: withFrame }],
  clearScreen: false,
  build: { target: 'es2022', assetsInlineLimit: 0, sourcemap: false },
})
