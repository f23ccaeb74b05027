# SPDX-License-Identifier: MIT
"""Every method with one face: fit(X, y), predict(X), probability(X), and log_evidence() and suspicion() of the training labels
where it has them.  Packages are imported by the one that needs them, so that memory is that of one method.
"""


def first_scale(X):
    """Where all kernels start: the peers that climb from one place only get nowhere from 1 in 20 columns."""
    return (X.shape[1] / 2) ** 0.5


class Candor:
    def __init__(self, kernel=None, **options):
        from candor import GPClassifier

        self.kernel, self.model = kernel, GPClassifier(n_jobs=1, **options)

    def fit(self, X, y):
        self.model.kernel = self.kernel and self.kernel(X)
        self.model.fit(X, y)

    def predict(self, X):
        self.model.latent_mean_variance(X)

    def probability(self, X):
        return self.model.predict_proba(X)[:, 1]

    def log_evidence(self):
        return self.model.log_evidence() if self.model.average == "none" else self.model.log_evidence_

    def suspicion(self):
        return self.model.p_wrong_ if self.model.likelihood == "auto" else None


def first_kernel(X):
    from candor.kernels import RBF

    return 1.0 * RBF(first_scale(X))


SAME_WORK = {"kernel": first_kernel, "n_restarts": 0, "average": "none", "prior": "none", "standardize": False}


def sklearn_gp():
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF

    model = GaussianProcessClassifier()

    class Case:
        def fit(self, X, y):
            model.kernel = 1.0 * RBF(first_scale(X))
            model.fit(X, y)

        def predict(self, X):
            model.latent_mean_and_variance(X)

        def probability(self, X):
            return model.predict_proba(X)[:, 1]

        def log_evidence(self):
            return model.log_marginal_likelihood_value_

    return Case()


def gpy():
    import GPy
    import numpy as np

    class Case:
        def fit(self, X, y):
            np.random.seed(0)  # GPy visits the sites in random order
            ep = GPy.inference.latent_function_inference.EP(ep_mode="nested")
            kernel = GPy.kern.RBF(X.shape[1], lengthscale=first_scale(X))
            self.model = GPy.models.GPClassification(X, y.reshape(-1, 1), kernel, inference_method=ep)
            self.model.optimize()

        def predict(self, X):
            self.model.predict_noiseless(X)

        def probability(self, X):
            return self.model.predict(X)[0][:, 0]

        def log_evidence(self):
            return float(self.model.log_likelihood())

    return Case()


def gpytorch_model():
    import gpytorch
    import torch

    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)

    class Process(gpytorch.models.ApproximateGP):
        def __init__(self, inducing):
            q = gpytorch.variational.CholeskyVariationalDistribution(len(inducing))
            super().__init__(gpytorch.variational.VariationalStrategy(self, inducing, q))
            self.mean_module = gpytorch.means.ZeroMean()
            self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())
            self.covar_module.outputscale, self.covar_module.base_kernel.lengthscale = 1.0, first_scale(inducing)

        def forward(self, X):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(X), self.covar_module(X))

    class Case:
        def fit(self, X, y, most_steps=2000):
            torch.manual_seed(0)
            X, y = torch.from_numpy(X), torch.from_numpy(y.astype(float))
            self.model, self.likelihood = Process(X[: min(200, len(X))].clone()), gpytorch.likelihoods.BernoulliLikelihood()
            bound = gpytorch.mlls.VariationalELBO(self.likelihood, self.model, len(X))
            adam = torch.optim.Adam(self.model.parameters(), lr=0.05)
            path = []
            while len(path) < most_steps and not (len(path) > 100 and path[-1] - path[-101] < 0.1):  # nats
                adam.zero_grad()
                loss = -bound(self.model(X), y)
                loss.backward()
                adam.step()
                path.append(-loss.item() * len(X))
            self.bound = path[-1]
            self.model.eval()

        def predict(self, X):
            with torch.no_grad(), gpytorch.settings.fast_pred_var():
                f = self.model(torch.from_numpy(X))
                return f.mean, f.variance

        def probability(self, X):
            with torch.no_grad():
                return self.likelihood(self.model(torch.from_numpy(X))).mean.numpy()

        def log_evidence(self):
            return self.bound

    return Case()


class Plain:
    """A classifier without latent variances or an evidence."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        self.model.fit(X, y)

    def predict(self, X):
        self.model.predict_proba(X)

    def probability(self, X):
        return self.model.predict_proba(X)[:, 1]


def svc():
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    class Case(Plain):
        def __init__(self):
            super().__init__(None)

        def fit(self, X, y):
            scale = 1.0 / (X.shape[1] * X.var())
            grid = {"C": [0.1, 1.0, 10.0, 100.0], "gamma": [0.2 * scale, scale, 5.0 * scale]}
            best = GridSearchCV(SVC(), grid, cv=5, refit=False, n_jobs=1).fit(X, y).best_params_
            self.model = CalibratedClassifierCV(SVC(**best), cv=5, ensemble=False, n_jobs=1).fit(X, y)

    return Case()


def forest():
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(300, random_state=0, n_jobs=1)


def cleanlab_model():
    from cleanlab.classification import CleanLearning

    class Case(Plain):
        def __init__(self):
            super().__init__(CleanLearning(forest(), seed=0, find_label_issues_kwargs={"n_jobs": 1}))

        def suspicion(self):
            return 1.0 - self.model.get_label_issues()["label_quality"].to_numpy()

    return Case()


CASES = {  # a fresh model of every method of names.py
    "candor": Candor,
    "candor, one kernel": lambda: Candor(kernel=first_kernel),
    "candor laplace": lambda: Candor(likelihood="logistic", inference="laplace", **SAME_WORK),
    "candor ep": lambda: Candor(likelihood="probit", **SAME_WORK),
    "scikit-learn": sklearn_gp,
    "GPy": gpy,
    "GPyTorch": gpytorch_model,
    "SVC": svc,
    "forest": lambda: Plain(forest()),
    "cleanlab": cleanlab_model,
}
