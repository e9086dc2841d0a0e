import { openApp } from './open-app.tsx'
import { signedInServer, stubServer } from './stub-server.ts'

/** Opens the page of templates. @param records as of `stubServer`. */
export async function openTemplates(query = '', records?: number) {
  const server = stubServer(signedInServer(), { records })
  await openApp(`/templates${query}`)
  return server
}
