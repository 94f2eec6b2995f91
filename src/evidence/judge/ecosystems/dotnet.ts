import type { Ecosystem } from '../ecosystem.ts';

const CODE = '{cs,fs,vb}';

/** dotnet test: xunit, nunit, mstest. */
export const DOTNET: Ecosystem = {
  name: 'dotnet',
  files: [
    {
      glob: '**/{*.Tests,*.Test,*.UnitTests,*.UnitTest,*.IntegrationTests,*.IntegrationTest,*.Specs,UnitTests,IntegrationTests}/**',
      role: 'test',
    },
    { glob: '**/*.{Tests,Test,UnitTests,IntegrationTests}.{csproj,fsproj,vbproj}', role: 'test' },
    { glob: `**/{*Test,*Tests}.${CODE}`, role: 'test' },
    {
      glob: '**/{Directory.Build.props,Directory.Build.targets,Directory.Build.rsp,Directory.Solution.props,Directory.Solution.targets}',
      role: 'config',
    },
    {
      glob: '**/{*.runsettings,*.testsettings,xunit.runner.json,*.runner.json,testconfig.json,.globalconfig,*.ruleset,stryker-config.json}',
      role: 'config',
    },
    { glob: '**/{nuget.config,NuGet.Config,NuGet.config,global.json,MSBuild.rsp}', role: 'config' },
    { glob: '**/.config/dotnet-tools.json', role: 'config' },
  ],
  parts: [],
  home: ['.nuget/NuGet/NuGet.Config', '.config/NuGet/**', '.dotnet/tools/**'],
  above: [
    'Directory.Build.{props,targets}',
    'Directory.Packages.props',
    'Directory.Solution.{props,targets}',
    'global.json',
    '{nuget,NuGet}.{config,Config}',
  ],
  environment: [
    'DOTNET_*',
    'COMPlus_*',
    'CORECLR_*',
    'COR_*',
    'MSBUILD*',
    'MSBuild*',
    'NUGET_*',
    'VSTEST_*',
    'XUNIT_*',
  ],
  dependencies: [],
  generated: [
    '**/bin/{Debug,Release}/**',
    '**/obj/{Debug,Release,project.assets.json,*.nuget.*,*.AssemblyInfo.cs}',
    '**/TestResults/**',
    '**/.vs/**',
    '**/coverage.{cobertura.xml,opencover.xml,json}',
  ],
  interpreters: [{ name: 'dotnet', commands: ['script', 'fsi'] }],
  runners: [],
  wrappers: [],
};
