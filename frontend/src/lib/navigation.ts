// The one door to the router for everything outside `src/app`.
import { useCallback, useContext } from 'react'
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation } from 'react-router-dom'

export { Link, Navigate, useBlocker, useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'

/**
 * Tells at any moment whether the person is on the way from this screen to another, or there already while this one still
 * shows. `useNavigation` and `useLocation` tell of it with a later render, which a busy machine may take a while for.
 */
export function useIsLeaving(): () => boolean {
  const router = useContext(DataRouterContext)?.router
  const { pathname } = useLocation()
  return useCallback(() => {
    if (!router) return false
    const { navigation, location } = router.state
    return (navigation.location ?? location).pathname !== pathname
  }, [router, pathname])
}
