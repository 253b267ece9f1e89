import { handleAuth } from '#lib/console/auth.ts'

export { handleAuth as GET, handleAuth as POST }
