import '@fontsource-variable/inter/wght.css'
import 'virtual:theme.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { createRouter } from './app/router.tsx'

const container = document.getElementById('root')
if (!container) throw new Error('The page has no element with the id root.')

createRoot(container).render(
  <StrictMode>
    <RouterProvider router={createRouter()} />
  </StrictMode>,
)
