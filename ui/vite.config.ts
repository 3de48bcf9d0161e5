import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [svelte()],
  clearScreen: false,
  build: { target: 'es2022', assetsInlineLimit: 0, sourcemap: false },
})
