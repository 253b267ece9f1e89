export default {
  poweredByHeader: false,
  serverExternalPackages: ['pg', 'undici'],
}
