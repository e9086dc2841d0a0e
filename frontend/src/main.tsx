import '@fontsource-variable/inter/wght.css'
import './ui/theme.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'

const container = document.getElementById('root')
if (!container) throw new Error('The page has no element with the id root.')

createRoot(container).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
