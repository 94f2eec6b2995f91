import type { Ecosystem } from '../ecosystem.ts';

const CODE = '{java,kt,kts,scala,groovy}';
const PRODUCT = '**/src/main/**';
const GRADLE = ['gradle', 'gradlew', 'gradlew.bat'];

/** maven, gradle, sbt. */
export const JVM: Ecosystem = {
  name: 'jvm',
  files: [
    { glob: '**/src/{test,it,testFixtures,*Test,test-*,integration-test}/**', role: 'test' },
    { glob: `**/{*Test,*Tests,*TestCase,*IT,Test[A-Z]*}.${CODE}`, role: 'test', except: [PRODUCT] },
    { glob: '**/*Spec.{kt,scala,groovy}', role: 'test', except: [PRODUCT] },
    { glob: '**/{mvnw,mvnw.cmd,gradlew,gradlew.bat}', role: 'config' },
    { glob: '**/.mvn/**', role: 'config' },
    { glob: '**/gradle/wrapper/**', role: 'config' },
    { glob: '**/{build,settings,init}.{gradle,gradle.kts}', role: 'config', when: GRADLE },
    { glob: '**/buildSrc/**', role: 'config', when: GRADLE },
    { glob: '**/gradle.properties', role: 'config', when: GRADLE },
    {
      glob: '**/{junit-platform.properties,testng.xml,testng.yaml,checkstyle.xml,pmd.xml,spotbugs*.xml,detekt.yml,.java-version,.sdkmanrc}',
      role: 'config',
    },
    { glob: '**/{build.sbt,project/*.sbt,project/*.scala,project/build.properties}', role: 'config', when: ['sbt'] },
    { glob: '**/META-INF/services/org.junit.*', role: 'shadow' },
  ],
  parts: [
    {
      glob: '**/pom.xml',
      format: 'xml',
      parts: [
        'build',
        'profiles',
        'reporting',
        'properties/{skip*,maven.test.*,surefire.*,failsafe.*,test,argLine,groups,excludedGroups,jacoco.*,*.skip}',
      ],
    },
  ],
  home: [
    '.m2/settings.xml',
    '.m2/settings-security.xml',
    '.m2/extensions.xml',
    '.mavenrc',
    '.gradle/init.gradle',
    '.gradle/init.gradle.kts',
    '.gradle/init.d/**',
    '.gradle/gradle.properties',
    '.sbt/**',
    '.sbtopts',
    '.sdkman/etc/config',
  ],
  above: [
    'pom.xml',
    '.mvn/*',
    'settings.gradle',
    'settings.gradle.kts',
    'build.gradle',
    'build.gradle.kts',
    'gradle.properties',
  ],
  folders: { GRADLE_USER_HOME: ['init.gradle', 'init.gradle.kts', 'init.d/**', 'gradle.properties'] },
  environment: [
    'JAVA_*',
    'JDK_JAVA_OPTIONS',
    '_JAVA_OPTIONS',
    'CLASSPATH',
    'MAVEN_*',
    'M2_HOME',
    'MVNW_*',
    'GRADLE_*',
    'ORG_GRADLE_PROJECT_*',
    'SBT_*',
    'KOTLIN_*',
  ],
  dependencies: [],
  generated: [
    '**/target/{classes,test-classes,surefire-reports,failsafe-reports,generated-test-sources,maven-status,jacoco.exec}',
    '**/build/{classes,test-results,reports,tmp,kotlin,jacoco}/**',
    '**/.gradle/**',
    '**/.kotlin/**',
    '**/hs_err_pid*.log',
  ],
  interpreters: [{ name: 'java', valueOptions: ['-cp', '-classpath', '--class-path'] }, { name: 'groovy' }],
  runners: [],
  wrappers: [],
};
