// The one door to the router for everything outside `src/app`.
export {
  Link,
  useBlocker,
  useNavigate,
  useNavigation,
  useSearchParams,
} from 'react-router-dom'
