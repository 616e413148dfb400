/** The version this bundle was built from; a test keeps it equal to package.json. */
export const VERSION = '1.0.0';
