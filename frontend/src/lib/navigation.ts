// The one door to the router for everything outside `src/app`.
export { Link as AppLink, useBlocker, useNavigate as useGo, useSearchParams } from 'react-router-dom'
