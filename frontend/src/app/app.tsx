import { RouterProvider } from 'react-router-dom'
import { createRouter } from './router.tsx'

// Created once per page load; React may render the component more than once.
const router = createRouter()

/** The whole app. */
export const App = () => <RouterProvider router={router} />
