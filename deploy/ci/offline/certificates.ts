import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const openssl = (folder: string, ...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
const ellipticKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** Who speaks to the API server, by the name of the files. The subject is what Kubernetes' own roles are bound to. */
export const clients = {
  admin: '/O=system:masters/CN=admin',
  controllers: '/CN=system:kube-controller-manager',
  scheduler: '/CN=system:kube-scheduler',
} as const

/** Makes a CA, the certificates of the API server and of its clients, and the key of service account tokens. */
export function makeCertificates(folder: string): void {
  const authority = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign']
  openssl(
    folder,
    ...['req', '-x509', ...ellipticKey, '-days', '2', '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=test'],
    ...authority.flatMap((extension) => ['-addext', extension]),
  )
  const names = 'DNS:localhost,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:10.96.0.1'
  sign(folder, 'server', '/CN=kube-apiserver', `subjectAltName=${names}\nextendedKeyUsage=serverAuth\n`)
  for (const [name, subject] of Object.entries(clients)) sign(folder, name, subject, 'extendedKeyUsage=clientAuth\n')
  openssl(folder, 'genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', 'accounts.key')
  openssl(folder, 'pkey', '-in', 'accounts.key', '-pubout', '-out', 'accounts.pub')
}

function sign(folder: string, name: string, subject: string, extensions: string): void {
  writeFileSync(join(folder, `${name}.ext`), extensions)
  openssl(folder, 'req', ...ellipticKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject)
  openssl(
    folder,
    ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-days', '2', '-out', `${name}.crt`, '-extfile', `${name}.ext`],
  )
}

/** A kubeconfig for one of the clients. @returns its path. */
export function writeKubeconfig(folder: string, client: keyof typeof clients, server: string): string {
  const file = join(folder, `${client}.kubeconfig`)
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority': join(folder, 'ca.crt') } }],
    users: [
      {
        name: client,
        user: {
          'client-certificate': join(folder, `${client}.crt`),
          'client-key': join(folder, `${client}.key`),
        },
      },
    ],
    contexts: [{ name: 'test', context: { cluster: 'test', user: client } }],
    'current-context': 'test',
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}
