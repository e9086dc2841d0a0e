// The one door to the router for everything outside `src/app`.
export {
  Link as AppLink,
  useBlocker,
  useNavigate as useGo,
  useNavigation as useGoing,
  useSearchParams as useQueryParameters,
} from 'react-router-dom'

const known = new Set<string>()

/** The router says once which paths have a screen. */
export function announceRoutes(paths: Iterable<string>): void {
  known.clear()
  for (const path of paths) known.add(path)
}

/** True if a screen stands at the path, so that nothing links to one that does not exist. */
export const routeExists = (path: string): boolean => known.has(path)
