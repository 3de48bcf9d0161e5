//! Profiles: as configured, as proposed, added and removed.

use crate::launch::Agent;
use crate::view::ProfileView;
use crate::{Desk, Error};
use store::config::{Config, Profile};
use store::detect::detect;

impl Desk {
    /// Profiles as configured, with what was found in each.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    pub fn profiles(&self) -> Result<Vec<ProfileView>, Error> {
        let config = self.config()?;
        let rows = self.listed()?;
        Ok(config
            .profiles
            .iter()
            .map(|profile| {
                let own = rows.iter().filter(|listed| listed.profiles.contains(&profile.name));
                let resets_at = own.clone().find_map(|listed| listed.row.resets_at.clone());
                let problems = profile
                    .root_paths(&self.person)
                    .into_iter()
                    .filter_map(|root| match std::fs::read_dir(&root) {
                        Ok(_) => None,
                        Err(error) => Some(format!("{}: {error}", root.display())),
                    })
                    .collect();
                ProfileView {
                    handoffs: u32::try_from(own.count()).unwrap_or(u32::MAX),
                    problems,
                    resets_at,
                    ..view(profile)
                }
            })
            .collect())
    }

    /// Profiles that this machine seems to have and that are not configured yet.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    pub fn profiles_detected(&self, env: &dyn Fn(&str) -> Option<String>) -> Result<Vec<ProfileView>, Error> {
        let config = self.config()?;
        let known: Vec<_> = config.profiles.iter().flat_map(|profile| profile.root_paths(&self.person)).collect();
        Ok(detect(&self.person, env)
            .into_iter()
            .filter(|proposal| !proposal.profile.root_paths(&self.person).iter().all(|root| known.contains(root)))
            .map(|proposal| ProfileView { found_by: Some(proposal.found_by), ..view(&proposal.profile) })
            .collect())
    }

    /// Adds a profile.
    ///
    /// # Errors
    /// When the name is taken or the agent is not known.
    pub fn profile_add(&self, profile: &Profile) -> Result<Vec<ProfileView>, Error> {
        Config::add_profile(&self.home, profile)?;
        self.profiles()
    }

    /// Removes a profile; its handoffs stay where they are.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn profile_remove(&self, name: &str) -> Result<Vec<ProfileView>, Error> {
        Config::remove_profile(&self.home, name)?;
        self.profiles()
    }
}

fn view(profile: &Profile) -> ProfileView {
    ProfileView {
        name: profile.name.clone(),
        agent: profile.agent.clone(),
        roots: profile.roots.clone(),
        include: profile.include.clone(),
        exclude: profile.exclude.clone(),
        handoffs: 0,
        problems: Vec::new(),
        resets_at: None,
        starts: !profile.launch.is_empty() || !Agent::named(&profile.agent).default_command().is_empty(),
        found_by: None,
    }
}
